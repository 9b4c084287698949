import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes the package `@heirloom/cli` from the built program, from scratch, and returns its folder: the command
 * line without the server, the EVM and the page, which `serve` takes from `@heirloom/http`.
 */
export function buildCli(workspace: string): string {
  const folder = join(workspace, 'dist/cli')
  const built = join(workspace, 'packages/http/dist')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(join(folder, 'dist'), { recursive: true })
  for (const name of [...filesOf(built), 'NOTICES.txt'])
    cpSync(join(built, name), join(folder, 'dist', name))
  cpSync(join(built, 'serve-command.js'), join(folder, 'dist/serve-help.js'))
  for (const [name, text] of Object.entries(fromServer))
    writeFileSync(join(folder, 'dist', name), text)
  const manifest = join(workspace, 'packages/http/package.json')
  writeFileSync(
    join(folder, 'package.json'),
    cliManifest(JSON.parse(readFileSync(manifest, 'utf8'))),
  )
  writeFileSync(join(folder, 'README.md'), readme)
  cpSync(join(workspace, 'LICENSE'), join(folder, 'LICENSE'))
  return folder
}

/** Returns the built files that the command line needs: all but those that only `serve` loads. */
function filesOf(built: string): ReadonlySet<string> {
  const workers = readdirSync(built).filter((name) => name.endsWith('-program.js'))
  const found = new Set<string>()
  const add = (name: string, loads: boolean): void => {
    if (found.has(name)) return
    found.add(name)
    const text = readFileSync(join(built, name), 'utf8')
    const started = workers.filter((worker) => text.includes(worker.slice(0, -3)))
    for (const other of [...importsIn(text, loads), ...started]) add(other, loads)
  }
  add('commands.js', true)
  add('cli.js', false)
  // What `serve` loads when it runs is that of the server; its help is here.
  add('serve-command.js', false)
  return found
}

/** Returns the files beside it that a file imports, also those that it loads later. */
const importsIn = (text: string, loads: boolean): readonly string[] =>
  [...text.matchAll(/\b(?:from|import)\s*(\(?)"\.\/([^"]+\.js)"/g)]
    .filter(([, isLoaded]) => loads || isLoaded === '')
    .map(([, , name = '']) => name)
    .filter((name) => name !== 'serve.js' && name !== 'serve-command.js')

/** The files that take `serve` from the package of the server, as those of the server do. */
const fromServer: Readonly<Record<string, string>> = {
  'serve.js': `import { load } from './server.js'

export const { runCommand } = await load('serve.js')
`,
  'serve-command.js': `import { serve as described } from './serve-help.js'
import { load } from './server.js'

export const serve = {
  ...described,
  run: async (call) => (await load('serve-command.js')).serve.run(call),
}
`,
  'server.js': `import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Loads a file of the server, or ends with how to add it. */
export async function load(file) {
  const manifest = find()
  if (manifest !== undefined) return import(pathToFileURL(join(manifest, '../dist', file)).href)
  process.stderr.write(
    'The server is a package of its own: add it beside this one with \`npm install @heirloom/http\` (\`npm install -g\` where this one is global; from this repository with the files that \`pnpm pack:all\` wrote), and call \`heirloom serve\` again.\\n',
  )
  process.exit(1)
}

function find() {
  try {
    return findPackageJSON('@heirloom/http', import.meta.url)
  } catch {
    return undefined
  }
}
`,
}

type Manifest = Readonly<Record<'version' | 'license' | 'keywords' | 'engines', unknown>> & {
  readonly dependencies: Readonly<Record<string, string>>
}

function cliManifest({ version, license, keywords, engines, dependencies }: Manifest): string {
  const manifest = {
    name: '@heirloom/cli',
    version,
    license,
    type: 'module',
    description: 'The command line of Heirloom, without its server.',
    keywords,
    engines,
    bin: { heirloom: './dist/cli.js' },
    files: ['dist'],
    dependencies: { 'hash-wasm': dependencies['hash-wasm'] },
    peerDependencies: { '@heirloom/http': version },
    peerDependenciesMeta: { '@heirloom/http': { optional: true } },
    publishConfig: { access: 'public' },
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

const readme = `# @heirloom/cli

The command line of Heirloom: agent memory you can own, prove, pass on and trade. It needs Node 24.

    npx -y @heirloom/cli browse --url https://heirloom.example

\`heirloom --help\` names the commands. The server is \`@heirloom/http\`: once it is installed beside this
package, \`heirloom serve\` starts it.
`
