import * as card from './card-body.ts'
import * as catalogue from './catalogue-schemas.ts'
import * as event from './event-schemas.ts'
import * as excerpts from './excerpts-schemas.ts'
import * as heir from './heir-schemas.ts'
import * as market from './market-schemas.ts'
import * as memory from './memory-schemas.ts'
import * as name from './name-schemas.ts'
import * as operator from './operator-schemas.ts'
import * as part from './part-schemas.ts'
import * as rating from './rating-schemas.ts'
import * as relay from './relay-schemas.ts'
import * as wallet from './wallet-schemas.ts'
import * as webhook from './webhook-schemas.ts'
import * as x402 from './x402-schemas.ts'

const modules = [
  ...[card, catalogue, event, excerpts, heir, market, memory],
  ...[name, operator, part, rating, relay, wallet, webhook, x402],
]

/** Returns the object schemas of the API by the names that its description gives them. */
export function componentSchemas(): ReadonlyMap<string, object> {
  const exported = modules.flatMap((module) => Object.entries<unknown>(module))
  const objects = exported.filter((entry): entry is [string, object] => isObjectSchema(entry[1]))
  return new Map(objects.map(([name, schema]) => [name.replace(/Record$/, ''), schema]))
}

const isObjectSchema = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'properties' in value
