import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../test/command-world.ts'
import { commandNames, loadCommands } from '../load-command.ts'
import { commonOptions } from '../arguments/read-call.ts'

const commands = await loadCommands()

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'completion-'))
})
afterAll(() => rmSync(home, { recursive: true }))

/** Returns what bash offers after a line, whose last word is the one being completed. */
async function offered(...words: string[]): Promise<readonly string[]> {
  const { out } = await run(['completion', 'bash'])
  writeFileSync(join(home, 'script'), out)
  const line = words.map((word) => `'${word}'`).join(' ')
  const ask = `. ./script; COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _heirloom; printf '%s\\n' "\${COMPREPLY[@]}"`
  // Started through a socket, bash takes itself for a remote shell, and reads its settings.
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-euc', ask], {
    cwd: home,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((word) => word !== '')
}

describe('bash', () => {
  test('offers every command, and those that begin so', async () => {
    expect(await offered('heirloom', '')).toEqual([...commandNames, 'help'])
    expect(await offered('heirloom', 'do')).toEqual(['download', 'doctor'])
  })

  test.each(commands)('offers every option of %s', async (name, { options }) => {
    const all = Object.keys({ ...options, ...commonOptions }).map((option) => `--${option}`)
    expect(await offered('heirloom', name, '--')).toEqual(all)
  })

  test('offers what an option or a word may be, and leaves files to bash', async () => {
    expect(await offered('heirloom', 'browse', '--order', '')).toEqual(['desc', 'asc'])
    expect(await offered('heirloom', 'completion', '')).toEqual(['bash', 'zsh', 'fish'])
    expect(await offered('heirloom', 'snapshot', '')).toEqual([])
    expect(await offered('heirloom', 'download', '7', '-o', '')).toEqual([])
  })
})

describe('every shell', () => {
  test.each(['bash', 'zsh', 'fish'])('%s is told of every command and option', async (shell) => {
    const { out } = await run(['completion', shell])
    for (const [name, { options }] of commands) {
      expect(out).toContain(name)
      for (const option of Object.keys(options))
        expect(out).toMatch(new RegExp(`(--|-l )${option}\\b`))
    }
    const { out: json } = await run(['completion', shell, '--json'])
    expect(JSON.parse(json)).toEqual({ shell, script: out })
  })

  test('can read its script, where it is here', async () => {
    for (const [shell, check] of [
      ['bash', '-n'],
      ['zsh', '-n'],
      ['fish', '--no-execute'],
    ] as const) {
      const { out } = await run(['completion', shell])
      writeFileSync(join(home, shell), out)
      const { status, error } = spawnSync(shell, [check, join(home, shell)])
      if (error === undefined) expect([shell, status]).toEqual([shell, 0])
    }
  })

  test('that is unknown is refused', async () => {
    expect((await run(['completion', 'tcsh'])).code).toBe(2)
  })
})
