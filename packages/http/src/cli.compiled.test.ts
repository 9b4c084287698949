import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

/** A command line of its own that exits with the code that its other file holds. */
function installed() {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const source = join(folder, 'src')
  mkdirSync(source)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  copyFileSync(join(import.meta.dirname, 'cli.ts'), join(source, 'cli.ts'))
  writeFileSync(
    join(source, 'commands.ts'),
    `import { code } from './code.ts'\nexport const runCommand = async (): Promise<number> => code\n`,
  )
  return {
    kept: join(folder, 'node_modules/.cache/compiled'),
    program: (code: number) =>
      writeFileSync(join(source, 'code.ts'), `export const code: number = ${code}\n`),
    run: () => {
      const { status, stderr } = spawnSync(process.execPath, [join(source, 'cli.ts')])
      return { status, stderr: String(stderr) }
    },
  }
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())

describe('what was compiled', () => {
  test('is kept beside the code, and used only while the code stays the same', () => {
    const { kept, program, run } = installed()
    program(7)
    expect(run()).toEqual({ status: 7, stderr: '' })
    expect(filesIn(kept)).not.toEqual([])
    expect(run()).toEqual({ status: 7, stderr: '' })
    program(8)
    expect(run()).toEqual({ status: 8, stderr: '' })
  })

  test('is made anew where it was damaged', () => {
    const { kept, program, run } = installed()
    program(7)
    run()
    for (const file of filesIn(kept)) writeFileSync(file, 'not what was compiled'.repeat(20))
    expect(run()).toEqual({ status: 7, stderr: '' })
  })

  test('is done without where it cannot be kept', () => {
    const { kept, program, run } = installed()
    program(7)
    mkdirSync(join(kept, '..'), { recursive: true })
    writeFileSync(kept, 'a file where a folder should be')
    expect(run()).toEqual({ status: 7, stderr: '' })
  })
})
