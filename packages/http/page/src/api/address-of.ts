import {
  fillPath,
  type OperationName,
  type PathValues,
  routeOf,
} from '../../../src/api/operations/paths.ts'
import { type Query, withQuery } from '../../../src/client/transport/with-query.ts'

/** The values of the parameters in the path of a read, and of its query. */
export type ReadInput<name extends OperationName> = PathValues<name> & Query

/** Returns the address of a read: what its path does not name stands in its query. */
export function addressOf<name extends OperationName>(name: name, input: ReadInput<name>): string {
  const values: Query = input
  const { path } = routeOf(name)
  const query = Object.entries(values).filter(([it]) => !path.split('/').includes(`:${it}`))
  return withQuery(
    fillPath(path, (it) => values[it]),
    Object.fromEntries(query),
  )
}
