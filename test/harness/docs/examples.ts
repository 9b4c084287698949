import { publish } from '../packages/publish.ts'
import { stranger } from './stranger.ts'

/** The programs of a page, in a folder with the packed client and viem. */
export type Examples = {
  /**
   * Runs the programs without a file name in their order with Node, and returns what each printed.
   * Those with a name are there as files, which they may import.
   */
  readonly run: (environment: Readonly<Record<string, string>>) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** Returns the programs of a page in TypeScript. */
export const programsOf = (page: string): readonly string[] =>
  fencesOf(page, /```ts.*\n([\s\S]*?)```/g)

const fencesOf = (page: string, fence: RegExp) =>
  [...page.matchAll(fence)].map(([, code = '']) => code)

/** Installs the packed client and viem in an empty folder, for the programs of a page. */
export async function openExamples(page: string): Promise<Examples> {
  const registry = await publish()
  const reader = stranger(registry.url)
  await reader.install('@heirloom/client viem')
  for (const [, name = '', code = ''] of page.matchAll(/```ts (\S+)\n([\s\S]*?)```/g))
    reader.write(name, code)
  return {
    async run(environment) {
      const printed: string[] = []
      for (const program of fencesOf(page, /```ts\n([\s\S]*?)```/g)) {
        reader.write('program.mts', program)
        printed.push(await reader.run('node program.mts', environment))
      }
      return printed
    },
    async close() {
      reader.remove()
      await registry.close()
    },
  }
}
