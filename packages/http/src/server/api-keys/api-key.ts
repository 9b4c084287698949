import type { Budget } from '@heirloom/core'

/** The scopes of API keys; each one includes those before it. */
export const scopes = ['read', 'write', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** The name, scope and budget of an API key; only its holder knows the key itself. */
export type ApiKey = Budget & {
  readonly scope: Scope
  /** The tenant that it acts for; absent for the server's own wallet. */
  readonly tenant?: string | undefined
  /** The owner of its private names, where that is not its name. */
  readonly principal?: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key of the request, if the server knows it. */
    caller: ApiKey | undefined
  }
}

/** Returns whether the scope of a key includes another scope. */
export const allows = ({ scope }: Pick<ApiKey, 'scope'>, needed: Scope): boolean =>
  scopes.indexOf(scope) >= scopes.indexOf(needed)
