import type { OperationName } from '../../../src/api/operations/paths.ts'
import { addressOf, type ReadInput } from './address-of.ts'
import { type Answer, getJson } from './get-json.ts'
import { type Resource, useResource } from './use-resource.ts'

/** Loads a read and keeps it up to date; without an input it loads nothing. */
export function useRead<name extends OperationName>(
  name: name,
  input: ReadInput<name> | undefined,
): Resource<Answer<name>> {
  const address = input === undefined ? '' : addressOf(name, input)
  return useResource(address, (signal) => getJson<Answer<name>>(address, signal))
}
