import type { Plugin } from 'rolldown'

/** The packed programs that others load. */
export const programs: readonly string[] = ['./commands.js', './serve.js', './serve-command.js']

/** Returns a plugin that packs `cli.ts` without the commands, and lets it choose its program. */
export const chooseProgram = (): Plugin =>
  changing('/src/cli.ts', (code) => replaceOnce(code, "import('./cli/run-command.ts')", choice))

// Only `serve` by itself: its help, and the failures of its options, need the other commands.
const choice = `(
  (process.argv[2] ?? 'serve') === 'serve' && process.argv.length < 4
    ? import('./serve.js')
    : import('./commands.js')
)`

/** Returns a plugin that packs all commands but `serve`, which is loaded from its own program. */
export const withoutServe = (): Plugin =>
  changing('/cli/load-command.ts', (code) =>
    replaceOnce(code, "import('./operator/serve.ts')", "import('./serve-command.js')"),
  )

/** Returns a plugin that packs no command but `serve`. */
export const serveAlone = (): Plugin =>
  changing('/cli/load-command.ts', (code) => {
    const alone = code.replaceAll(/^ {2}(?!serve:).*import\(.*\n/gm, '')
    if (alone.split('import(').length !== 2) throw new Error('There is no table of commands.')
    return alone
  })

const changing = (file: string, change: (code: string) => string): Plugin => ({
  name: 'serve-alone',
  transform: (code, id) => (id.endsWith(file) ? change(code) : undefined),
})

function replaceOnce(text: string, old: string, by: string): string {
  const [before, after, ...others] = text.split(old)
  if (after === undefined || others.length > 0) throw new Error(`There is not one ${old}.`)
  return `${before}${by}${after}`
}

/**
 * Returns a plugin that lets packages load parts of Node only when they use them. Fastify requires
 * all of HTTP/2 and TLS for options that this server does not have.
 */
export const lazyBuiltins = (): Plugin => ({
  name: 'lazy-builtins',
  transform: {
    filter: { id: /node_modules.*\.c?js$/, code: /require\(/ },
    handler: (code) => {
      const lazy = code.replaceAll(
        /^const (\w+) = require\('((?:node:)?(?:https|http2))'\);?$/gm,
        (_, name, id) => `const ${name} = ${lazyModule(id)}`,
      )
      return lazy === code ? undefined : lazy
    },
  },
})

const lazyModule = (id: string): string =>
  `new Proxy({}, { get: (_, name) => process.getBuiltinModule('${id}')[name] })`
