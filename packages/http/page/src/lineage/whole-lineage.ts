import type { Lineage, Relative } from '../../../src/client/responses.ts'
import { readNow } from '../api/get-json.ts'
import { type Resource, useResource } from '../api/use-resource.ts'

/** The descendants that the server returns at once. */
const pageLength = 500

/** The most further pages that are read. */
const mostPages = 40

/** Reads what the server cut from a lineage; nothing where all is there. */
export function useWholeLineage(lineage: Lineage): Resource<Lineage> {
  const { token, descendants } = lineage
  const last = lastIdOf(descendants)
  const key = lineage.isCut && last !== undefined ? `${token.tokenId} ${last}` : ''
  const resource = useResource(key, (signal) => readRest(lineage, signal))
  return key === '' ? { ...resource, isLoading: false } : resource
}

/** Returns the id after which the descendants go on; `undefined` where all are there. */
const lastIdOf = (page: readonly Relative[]) =>
  page.length < pageLength ? undefined : page.at(-1)?.token.tokenId

async function readRest(lineage: Lineage, signal: AbortSignal): Promise<Lineage> {
  const descendants = [...lineage.descendants]
  const { tokenId } = lineage.token
  let { isCut } = lineage
  let after = lastIdOf(descendants)
  for (let pages = 0; pages < mostPages && after !== undefined; pages += 1) {
    const page: Lineage = await readNow('lineage', { tokenId, after }, signal)
    descendants.push(...page.descendants)
    isCut = page.isCut
    after = lastIdOf(page.descendants)
  }
  return { ...lineage, descendants, isCut }
}
