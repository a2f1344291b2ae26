#!/usr/bin/env node
// Names a capability twice.
import { ready, send, serve } from './support/v1.mjs';

serve({ 'connection/hello': () => send(ready(['a', 'a'])) });
