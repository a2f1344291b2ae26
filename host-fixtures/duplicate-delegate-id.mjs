#!/usr/bin/env node
// Makes two tool calls with one id.
import { send, serve, started, toolCall } from './support/v1.mjs';

serve({ 'session/execute': (message) => send(started(message), toolCall(message), toolCall(message)) });
