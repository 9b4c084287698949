import type { Answer } from '../../api/operations/operations.ts'
import { type OperationName, paths } from '../../api/operations/paths.ts'
import type { TokenIdInput } from '../requests.ts'
import { decodeResponse } from './decode-response.ts'
import { requestLine } from './request-line.ts'
import type { CallOptions, Transport } from './transport.ts'
import { type Query, withQuery } from './with-query.ts'

type Options = Pick<CallOptions, 'signal'>

/** Returns what creates a call that takes the values of its path, its query if it has one, and options. */
export const readsOver =
  (send: Transport['send']) =>
  <name extends OperationName>(name: name, hasQuery = false) =>
  async (...given: readonly unknown[]): Promise<Answer<name>> => {
    const values = given.slice(0, paths[name].split(':').length - 1)
    const rest = given.slice(values.length)
    const [query, options = {}] = (hasQuery ? rest : [undefined, ...rest]) as [Query?, Options?]
    const { method, path } = requestLine(name, ...(values as TokenIdInput[]))
    const response = await send({ method, path: withQuery(path, query), options })
    return decodeResponse<Answer<name> & object>(response)
  }
