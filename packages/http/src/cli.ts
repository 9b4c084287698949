#!/usr/bin/env node
import nodeModule from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'

// An older one lacks what is loaded below, and would say so in words that help nobody.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `Heirloom needs Node 24 or newer, and this is Node ${process.versions.node}.\n`,
  )
  process.exit(1)
}

// Large memories pass by beside a small heap, and count as if they were part of it: with the usual
// limits nearly each of them would have the whole heap collected.
setFlagsFromString('--heap-growing-percent=400')

// What was compiled is kept beside the code, for whoever can write there could change the code
// itself. Where nothing can be written, everything is compiled anew.
nodeModule.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))

// Only what is loaded from here on is kept.
const { runCommand } = await import('./cli/run-command.ts')

// Exiting, not only returning: a part that holds the process up must not outlive the server.
process.exit(await runCommand(process.argv.slice(2)))
