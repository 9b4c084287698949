import { fillPath, type OperationName, routeOf } from '../../api/operations/paths.ts'
import type { TokenIdInput } from '../requests.ts'
import { requireName } from './encode-name.ts'
import { encodeTokenId } from './encode-values.ts'
import type { Call } from './transport.ts'

/**
 * Returns the method and the path of an operation, with the values of the parameters in their order.
 *
 * @throws `value/invalid`, `name/malformed`
 */
export function requestLine(
  name: OperationName,
  ...values: readonly (TokenIdInput | undefined)[]
): Pick<Call, 'method' | 'path'> {
  const { method, path } = routeOf(name)
  const rest = [...values]
  const encodeNext = (parameter: string) => {
    const value = rest.shift() ?? ''
    if (parameter === 'name') requireName(`${value}`)
    return parameter === 'tokenId' ? encodeTokenId(value) : value
  }
  return { method, path: fillPath(path, encodeNext) }
}
