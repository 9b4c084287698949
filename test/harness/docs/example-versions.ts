import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { post, type Snapshot } from '../process/server.ts'
import type { CommandShell } from './command-shell.ts'

/** The versions for the examples of the help that compare, merge and save. */
export type ExampleVersions = {
  /**
   * Prepares what an example needs just before it: decisions on conflicts, or one more version of the
   * name `ada`. Returns the line with the tokens of here.
   */
  readonly prepare: (line: string) => Promise<string>
}

const notes = Array.from({ length: 25 }, (_, at) => `note ${at}`)

/** Returns the data of a day, which has the lists that the examples read. */
export const dataOf = (day: number): object => ({ day, goals: ['rest'], notes })

/** Mints token 7 after six others, and two versions of it that the examples merge. */
export async function mintVersions(
  { url, folder }: { readonly url: string; readonly folder: string },
  shell: CommandShell,
): Promise<ExampleVersions> {
  const snapshot = async (data: object, more: object = {}): Promise<string> => {
    const body = JSON.stringify({ data, metadata: { category: 'research' }, ...more })
    const reply = await post(url, '/api/memory/snapshot', body)
    return ((await reply.json()) as Snapshot).tokenId
  }
  for (let day = 1; day <= 7; day++) await snapshot(dataOf(day))
  const child = { parentTokenId: '7' }
  // Token 8 changes the day and 9 the goals; the last one changes the day too.
  await snapshot(dataOf(8), child)
  await snapshot({ ...dataOf(7), goals: ['read'] }, child)
  const conflicting = await snapshot(dataOf(9), child)
  /** Writes a file of conflicts with a decision on each. */
  const decide = async (line: string) => {
    const merge = line.replace(' 9 ', ` ${conflicting} `)
    rmSync(join(folder, 'merged.json'), { force: true })
    const { code } = await shell.run(merge.replace(/ --decisions .*/, ''))
    expect(code).toBe(1)
    const file = join(folder, 'merged.json.conflicts')
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"take": null', '"take": "ours"'))
    return merge
  }
  const saveTwice = async () => {
    for (const day of [1, 2]) await snapshot(dataOf(day), { name: 'ada' })
  }
  return {
    async prepare(line) {
      if (line.includes('--decisions')) return decide(line)
      if (/ada@1|(remove|openings) ada/.test(line)) await saveTwice()
      if (!line.includes('--after')) return line
      return line.replace('7', await snapshot(dataOf(7), { name: 'ada' }))
    },
  }
}
