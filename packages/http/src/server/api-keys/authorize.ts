import { Failure } from '@heirloom/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerKey } from '../../api/bearer-key.ts'
import type { OpenAct } from '../../config/read-open-acts.ts'
import { networkOf } from '../request/client-of.ts'
import { allows } from './api-key.ts'
import type { KeyRing } from './key-ring.ts'
import { permissionFor, type RoutePermission } from './route-permissions.ts'
import { wrongKeys } from './wrong-keys.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that the route requires, where the server has API keys. */
    scope?: RoutePermission
  }
}

/** Sets the `caller` of each request that has an API key. */
export function identifyCaller(server: FastifyInstance, { find }: Pick<KeyRing, 'find'>): void {
  server.decorateRequest('caller', undefined)
  server.addHook('onRequest', (request, _, done) => {
    const key = bearerKey(request.headers)
    if (key !== undefined) request.caller = find(key)
    done()
  })
}

/** Refuses every request whose API key lacks the scope of its route, unless its act is open. */
export function authorize(
  server: FastifyInstance,
  keys: KeyRing,
  openActs: readonly OpenAct[] = [],
): void {
  server.addHook('onRoute', (route) => {
    const [method = 'GET'] = [route.method].flat()
    route.config = { ...route.config, scope: permissionFor(method, route.url, openActs) }
  })
  if (!keys.isRequired) return
  const refuse = wrongKeys()
  server.addHook('onRequest', (request, _, done) => {
    requireScope(request, refuse)
    done()
  })
}

function requireScope(request: FastifyRequest, refuse: (network: string) => never): void {
  const { caller, routeOptions, ip, headers, is404 } = request
  const needed = routeOptions.config.scope ?? 'anyone'
  if (needed === 'anyone' || is404) return
  if (caller === undefined) {
    if (bearerKey(headers) !== undefined) refuse(networkOf(ip))
    throw new Failure('request/not-authorized', { scheme: 'Bearer' })
  }
  const { name, scope } = caller
  if (!allows(caller, needed)) throw new Failure('api-key/out-of-scope', { name, scope, needed })
}
