#!/usr/bin/env node
import nodeModule from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// An older Node fails on the imports below, with an error that does not name the cause.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(`Heirloom needs Node 24 or newer; this is Node ${process.versions.node}.\n`)
  process.exit(1)
}

// V8 counts large buffers outside the heap as pressure on it: with the default growth limit nearly
// every large memory would start a full garbage collection.
setFlagsFromString('--heap-growing-percent=400')

// The compile cache lies beside the code: an attacker who can write there could change the code as
// well. In a read-only folder Node compiles again at each start.
const compiled = join(import.meta.dirname, '../node_modules/.cache/compiled')
nodeModule.enableCompileCache(compiled)
// Workers and child processes enable it only by the environment.
process.env.NODE_COMPILE_CACHE ??= compiled

// The cache holds only modules that are loaded after this line.
const { runCommand } = await import('./cli/run-command.ts')

// Exits explicitly: an open handle must not keep the process alive after the server has closed.
process.exit(await runCommand(process.argv.slice(2)))
