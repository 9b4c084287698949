import { arbitraryCodePoint } from '@heirloom/testkit'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { safeFiles } from './index.ts'
import { fileOf } from './test/files.ts'

const namesOf = (...paths: readonly string[]) => {
  const { files, left } = safeFiles(paths.map((path) => fileOf(path, 'x')))
  return { written: files.map(({ path }) => path), left: left.map(({ what }) => what) }
}

test('files that differ in a letter or digit of ASCII are all written', () => {
  const characters = Array.from('abcdefghijklmnopqrstuvwxyz0123456789')
  const paths = characters.flatMap((it) => [`note 1${it}.md`, `area ${it}/note.md`])
  expect(namesOf(...paths)).toEqual({ written: paths, left: [] })
})

describe('a file', () => {
  it.each([
    // Names that programs read, as seen in an attack through a bought memory.
    ...['.claude/settings.json', '.vscode/tasks.json', '.envrc', '.npmrc', 'CLAUDE.md', 'CON.md'],
    ...['.github/workflows/x.yml', 'node_modules/x/index.js', 'notes.md::$DATA'],
    ...['.cursor/rules/x.md', '.cursorrules', '.git/config.md', 'git~1/x.md', 'PROGRA~1/x.md'],
    ...['a/.hidden.md', '.md', 'AGENTS.md', 'agents.MD', 'sub/Claude.local.md', 'GEMINI.md'],
    ...['x.instructions.md', 'SKILL.md', 'copilot-instructions.md', 'HEARTBEAT.md', 'SOUL.md'],
    ...['package.json', 'sub/Package.JSON', 'tsconfig.json', 'tsconfig.base.json', 'mcp.json'],
    ...['claude_desktop_config.json', 'settings.json', 'jest.config.json', 'package-lock.json'],
    ...['requirements.txt', 'requirements-dev.txt', 'CMakeLists.txt', 'deno.json', 'deno.jsonc'],
    ...['Makefile', 'run.sh', 'x.py', 'x.js', 'x.bat', 'x.lnk', 'x.html', 'x.svg', 'x.yml', 'x'],
    ...['desktop.ini', 'x.url', 'x.mdx', 'x.md.exe', 'Dockerfile', 'justfile'],
    ...['nul.txt', 'aux', 'COM1.md', 'com¹.md', 'lpt9.x.md', 'CONIN$.md', 'prn/x.md', 'AUX .md'],
    ...['x.md.', 'x.md ', ' x.md', 'dir./x.md', 'dir /x.md', 'a:b.md', 'a*.md', 'a?.md', 'a|b.md'],
    ...['a<b.md', 'a"b.md', 'cl\u200baude.md', '\u202ecod.md', 'a\u00adb.md', 'a\ufe0f.md'],
    ...[
      '.\u200cgit/x.md',
      'CLAUDE.md'.normalize(),
      'ＣＬＡＵＤＥ.md',
      'ＣＯＮ.md',
      'a：b.md',
      '．git/x.md',
    ],
    // Names that shells, or programs called with a wildcard, take for options or commands.
    ...['--checkpoint-action=exec=sh run.md', '-rf.md', 'dir/-x.md', '－rf.md', '~/x.md', '~.md'],
    // vi takes a name that begins with + as a command, and other programs @ as a list of files.
    ...['+so payload.txt', '@list.md', 'a -I sh.md', 'b/+x.md', '#x.md'],
    ...['foo.dist-info/entry_points.txt', 'memory-bank/a.md', 'apt.txt', 'replit.md'],
    ...['$(id).md', 'a`id`.md', ';id.md', 'a&b.md', "a'b.md", 'a!b.md', 'a{b}.md', 'a(b).md'],
    ...['a[b].md', 'a#b.md', '%2e%2e%2fx.md', 'a=b.md', 'a^b.md', 'a\nb.md', '＄x.md', '；id.md'],
    // Files that programs read by name.
    ...['cdk.json', 'nodemon.json', 'main.tf.json', 'terraform.tfvars.json', 'marketplace.json'],
    ...['dev-requirements.txt', 'requirements/base.txt', 'a/Constraints/b.txt', 'robots.txt'],
    ...['memory.json', 'dir/memory.json', 'x.json', 'x.jsonl', 'x.csv', 'x.text', 'agent.af'],
    ...['../x.md', '/x.md', 'a//b.md', 'C:/x.md', 'a\\b.md', '', `${'a'.repeat(241)}.md`],
  ])('is not written to %j', (path) => {
    expect(namesOf('good.md', path)).toEqual({ written: ['good.md'], left: [path] })
  })

  it.each([
    ...[
      'loop.af',
      'notes.md',
      'a/b/c.txt',
      'memory.json',
      'memory.jsonl',
      'store.json',
      'agent.af',
      'mem0.json',
    ],
    ...['human.md', 'system/persona.md', 'README.md', 'MEMORY.md', '2026-11-22.md', 'a b.md'],
    ...['Grüße.md', '記憶.md', 'память.md', 'μνήμη.md', 'memória 1.md', 'a.b.c.md', 'É.md'],
    ...['contents.md', 'auxiliary.md', 'console.md', 'node_modules.md', 'claudette.md', 'a~b.md'],
  ])('is written to %j', (path) => {
    expect(namesOf(path)).toEqual({ written: [path], left: [] })
  })
})

describe('of those who named the files themselves', () => {
  it.each(['chat.json', 'notes/x.jsonl', 'a.md'])('%j is written', (path) => {
    const own = safeFiles([fileOf(path, 'x'), fileOf('b.md', 'x')], { json: true })
    expect(own.left).toEqual([])
  })

  it.each(['package.json', '.claude/settings.json', 'x.js', 'C:x.json'])('%j is not', (path) => {
    expect(safeFiles([fileOf(path, 'x')], { json: true }).files).toEqual([])
  })
})

describe('of names that can be confused', () => {
  it.each([
    ['a.md', 'A.md'],
    ['a.md', 'a.MD'],
    ['é.md', 'e\u0301.md'],
    ['fi.md', 'ﬁ.md'],
    ['straße.md', 'STRASSE.md'],
    ['dir/a.md', 'Dir/b.md'],
    ['a.md', 'A.md/b.md'],
    ['notes.md', 'nоtes.md'],
    ['pay.md', 'рау.md'],
  ])('%j and %j only the first is written', (one, other) => {
    expect(namesOf(one, other)).toEqual({ written: [one], left: [other] })
    expect(namesOf(other, one)).toEqual({ written: [other], left: [one] })
  })

  it('in one folder, every distinct name is written', () => {
    const paths = ['dir/a.md', 'dir/b.md', 'dir/sub/c.md', 'dir.md']
    expect(namesOf(...paths)).toEqual({ written: paths, left: [] })
  })
})

test('whatever the names are, what is written is a text, each under a name of its own', () => {
  const piece = fc.oneof(
    fc.string({ unit: arbitraryCodePoint, maxLength: 6 }),
    fc.constantFrom(
      '.',
      '/',
      'a',
      'A',
      '.md',
      '.json',
      '$',
      '-',
      '~',
      'con',
      'claude',
      '.git',
      ' ',
      '\u200b',
    ),
  )
  const path = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(fc.array(path, { maxLength: 8 }), (paths) => {
      const { written, left } = namesOf(...paths)
      expect([...written, ...left].toSorted()).toEqual([...paths].toSorted())
      for (const name of written) {
        if (paths.length > 1) expect(name).toMatch(/\.(?:md|markdown|txt)$/i)
        expect(name).not.toMatch(/(?:^|\/)[-~. ]|[. ](?:\/|$)/)
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}:\\<>"|?*$`;&!'{}()[\]#%=^]/u)
      }
      const plain = written.map((it) => it.normalize('NFKC').toLowerCase())
      expect(new Set(plain).size).toBe(plain.length)
    }),
    { numRuns: 2000 },
  )
})
