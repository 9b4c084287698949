import type { Plugin } from 'rolldown'

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
