import type { FastifyInstance } from 'fastify'
import { decodePath } from '../../observability/logging.ts'

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
    const [given = ''] = url.split('?')
    // A slash that is encoded is part of a parameter.
    const path = given.split('/').map(decodePath)
    const found = routes.flatMap(({ methods, pattern }) => (fits(pattern, path) ? methods : []))
    return [...new Set(found)].toSorted()
  }
}

const fits = (pattern: readonly string[], path: readonly string[]): boolean =>
  pattern.length === path.length &&
  pattern.every((part, at) => (part.startsWith(':') ? path[at] !== '' : part === path[at]))
