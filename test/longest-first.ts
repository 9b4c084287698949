import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest. Some of them wait most of the time, such as for a pause of a server or
 * for a node that never answers: they stand between others that compute, so that no processor is idle.
 */
const long = [
  ...['program/destroy-keys', 'docs/guides', 'page/adversity', 'nonce-lane/wrong-answers'],
  ...['page/create', 'program/packages', 'page/market'],
  ...['attacks/foreign-code', 'blob-store/s3.server', 'docs/readme', 'page/views'],
  ...['nonce-lane/silent-nodes', 'ledger/differential', 'catalogue/catalogue.laws'],
  ...['program/server-health', 'docs/walk', 'nonce-lane/postgres', 'ledger/nodes'],
  ...['client/walk', 'attacks/strangers', 'backup/bucket', 'catalogue/wrong-answers'],
  ...['signer/server', 'page/places', 'wallets/raised-fees', 'page/dollars', 'page/relay-attacks'],
  ...['nonce-lane/store', 'ledger/ledger.laws', 'docs/adapter-guide', 'docs/stranger'],
  ...['wallet/lying-relay', 'contracts/forge', 'contracts/compile', 'broken/broken'],
].map((name) => `/${name}.test.ts`)

/** The projects with the longest files first. */
const projects = ['whole', 'http', 'adapters', 'testkit', 'core', 'timed']

/**
 * Starts the longest files first, so that no processor is idle at the end of a run. Vitest alone
 * knows how long files took only where it ran them before.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files)
    return usual.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

/** Returns the place of a file; a project stays together, because its files share processes. */
function rankOf({ project, moduleId }: TestSpecification): number {
  const place = long.findIndex((name) => moduleId.endsWith(name))
  return projects.indexOf(project.name) * (long.length + 1) + (place < 0 ? long.length : place)
}
