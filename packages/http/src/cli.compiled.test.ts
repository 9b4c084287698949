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

/** Installs `cli.ts` in a folder, with a program that exits with a given code. */
function install() {
  const folder = mkdtempSync(join(tmpdir(), 'heirloom-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const source = join(folder, 'src')
  mkdirSync(join(source, 'cli'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  copyFileSync(join(import.meta.dirname, 'cli.ts'), join(source, 'cli.ts'))
  writeFileSync(
    join(source, 'cli/run-command.ts'),
    `import { code } from '../code.ts'\nexport const runCommand = async (): Promise<number> => code\n`,
  )
  return {
    cache: join(folder, 'node_modules/.cache/compiled'),
    writeProgram: (code: number) =>
      writeFileSync(join(source, 'code.ts'), `export const code: number = ${code}\n`),
    run: () => {
      const { NODE_COMPILE_CACHE: _, ...env } = process.env
      const { status, stderr } = spawnSync(process.execPath, [join(source, 'cli.ts')], { env })
      return { status, stderr: String(stderr) }
    },
  }
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())

describe('the compile cache', () => {
  test('lies beside the code, and is used only while the code is unchanged', () => {
    const { cache, writeProgram, run } = install()
    writeProgram(7)
    expect(run()).toEqual({ status: 7, stderr: '' })
    expect(filesIn(cache)).not.toEqual([])
    expect(run()).toEqual({ status: 7, stderr: '' })
    writeProgram(8)
    expect(run()).toEqual({ status: 8, stderr: '' })
  })

  test('is rebuilt when it is damaged', () => {
    const { cache, writeProgram, run } = install()
    writeProgram(7)
    run()
    for (const file of filesIn(cache)) writeFileSync(file, 'damaged'.repeat(20))
    expect(run()).toEqual({ status: 7, stderr: '' })
  })

  test('is not needed', () => {
    const { cache, writeProgram, run } = install()
    writeProgram(7)
    mkdirSync(join(cache, '..'), { recursive: true })
    writeFileSync(cache, 'a file where a folder should be')
    expect(run()).toEqual({ status: 7, stderr: '' })
  })
})
