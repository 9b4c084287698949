import { execFileSync } from 'node:child_process'
import type { Plugin } from 'rolldown'

/**
 * Returns the commit of the sources, with `-dirty` behind it if files were changed since. Where there
 * is no repository, as in the build of an image, BUILD_COMMIT has it; `undefined` without either.
 */
export function sourceCommit(env = process.env): string | undefined {
  const given = env.BUILD_COMMIT?.trim()
  if (given) return checked(given)
  const describe = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  try {
    const cwd = import.meta.dirname
    const printed = execFileSync('git', describe, { cwd, stdio: ['ignore', 'pipe', 'ignore'] })
    return checked(printed.toString().trim())
  } catch {
    return undefined
  }
}

function checked(commit: string): string {
  if (/^[0-9a-f]{7,64}(-dirty)?$/.test(commit)) return commit
  throw new Error(`BUILD_COMMIT must be the hash of a commit, not ${JSON.stringify(commit)}.`)
}

/** Returns a plugin that writes the commit into the program. */
export const fillInCommit = (commit: string | undefined): Plugin => ({
  name: 'build-commit',
  transform: (code, id) =>
    id.endsWith('/src/build-commit.ts')
      ? code.replace(/(?<=commit: string \| undefined = )undefined/, JSON.stringify(commit))
      : undefined,
})
