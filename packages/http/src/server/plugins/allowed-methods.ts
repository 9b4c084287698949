import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route only says that its methods are not allowed. */
    isRefused?: true
  }
}

/** Returns the methods of the routes that a path has, in the order of the alphabet. */
export type MethodsOf = (url: string) => readonly string[]

/** Records the routes of a server as they are registered, and returns which methods a path has. */
export function allowedMethods(server: FastifyInstance): MethodsOf {
  const routes: { readonly methods: readonly string[]; readonly pattern: readonly string[] }[] = []
  server.addHook('onRoute', ({ method, url, config }) => {
    if (config?.isRefused !== true)
      routes.push({ methods: [method].flat(), pattern: url.split('/') })
  })
  return (url) => {
    const path = decodedPath(url).split('/')
    const found = routes.flatMap(({ methods, pattern }) => (fits(pattern, path) ? methods : []))
    return [...new Set(found)].toSorted()
  }
}

function decodedPath(url: string): string {
  const [path = ''] = url.split('?')
  // A slash that is encoded is part of a parameter.
  return path.replace(/%([2-7][0-9a-f])/gi, (text, hex) =>
    /2f/i.test(hex) ? text : String.fromCharCode(Number(`0x${hex}`)),
  )
}

const fits = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((part, at) => (part.startsWith(':') ? path[at] !== '' : part === path[at]))
