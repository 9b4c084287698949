import { Failure } from '@heirloom/core'
import type { FastifyInstance } from 'fastify'
import { nearestName } from '../../api/nearest-name.ts'

/**
 * Refuses a body with a member that is not known and looks like one that is: the write would be done
 * without what it says, such as a limit. Other members that are not known are ignored.
 */
export function refuseMisspelt(app: FastifyInstance): void {
  app.addHook('preValidation', ({ body, routeOptions }, _, done) => {
    done(problemIn(Object(body), membersOf(routeOptions.schema?.body)))
  })
}

function problemIn(body: object, known: readonly string[]): Failure | undefined {
  for (const name of Object.keys(body)) {
    const meant = known.includes(name) ? undefined : nearestName(name, known)
    if (meant === undefined) continue
    const problem = `is not known here, and looks like ${meant}`
    return new Failure('request/malformed', { where: `body/${name}`, problem })
  }
  return undefined
}

function membersOf(schema: unknown): readonly string[] {
  return Object.keys(Object((schema as { readonly properties?: object } | undefined)?.properties))
}
