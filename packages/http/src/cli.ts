#!/usr/bin/env node
import { enableCompileCache, registerHooks } from 'node:module'
import { join } from 'node:path'

// What was compiled is kept beside the code, for whoever can write there could change the code
// itself. Where nothing can be written, everything is compiled anew.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))

// No file of a package stands behind a symbolic link of its own, so a relative import names its
// file already. Looking each one up is a third of the time that loading takes.
registerHooks({
  resolve: (specifier, context, next) => {
    const { parentURL, conditions } = context
    const named = /^\.\.?\/.*\.[jt]s$/.test(specifier) && conditions.includes('import')
    if (parentURL === undefined || !named) return next(specifier, context)
    return { url: new URL(specifier, parentURL).href, shortCircuit: true }
  },
})

// Only what is loaded from here on is kept, and found by the shorter way.
const { runCommand } = await import('./commands.ts')

// Exiting, not only returning: a part that holds the process up must not outlive the server.
process.exit(await runCommand(process.argv.slice(2)))
