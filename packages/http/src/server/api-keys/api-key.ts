import type { Budget } from '@heirloom/core'

/** What a key lets its holder do; each scope also allows what stands before it. */
export const scopes = ['read', 'write', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** A key of the operator's, by its name; the key itself is known to its holder alone. */
export type ApiKey = Budget & { readonly scope: Scope }

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key that the request gave, where it is one of the server's. */
    caller: ApiKey | undefined
  }
}

/** Tells whether a key may do what needs a scope. */
export const allows = ({ scope }: Pick<ApiKey, 'scope'>, needed: Scope): boolean =>
  scopes.indexOf(scope) >= scopes.indexOf(needed)
