import { fillPath, type OperationName, routeOf } from '../../api/operations/paths.ts'
import type { TokenIdInput } from '../requests.ts'
import { encodeTokenId } from './encode-values.ts'
import type { Call } from './transport.ts'

/**
 * Returns the method and the path of an operation, with the values of the parameters in their order.
 *
 * @throws `value/invalid`
 */
export function requestLine(
  name: OperationName,
  ...values: readonly (TokenIdInput | undefined)[]
): Pick<Call, 'method' | 'path'> {
  const { method, path } = routeOf(name)
  const rest = [...values]
  const valueOf = (parameter: string) => {
    const value = rest.shift() ?? ''
    return parameter === 'tokenId' ? encodeTokenId(value) : value
  }
  return { method, path: fillPath(path, valueOf) }
}
