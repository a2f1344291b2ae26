#!/usr/bin/env node
// Is started by a shell that says something on stdout; the real host is its child.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const host = fileURLToPath(new URL('./behaves.mjs', import.meta.url));
spawnSync('/bin/sh', ['-c', 'echo starting; "$0" "$1"; true', process.execPath, host], { stdio: 'inherit' });
