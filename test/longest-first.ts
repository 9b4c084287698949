import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take or wait longest; those that wait for our own pauses come first. */
const long = [
  ...['program/destroy-keys', 'program/tenants-postgres', 'blob-store/s3.server'],
  // The first of those that need published packages makes them; others wait for it.
  ...['program/packages', 'ledger/differential', 'ledger/ledger.laws', 'catalogue/catalogue.laws'],
  ...['contracts/forge', 'docs/readme', 'docs/guides', 'attacks/strangers', 'docs/adapter-guide'],
  ...['docs/stranger', 'client/walk', 'nonce-lane/postgres', 'program/crash'],
  ...['contracts/compile', 'broken/broken'],
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
