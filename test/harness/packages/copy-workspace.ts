import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
/** The names of the packages. */
export const packages = ['core', 'adapters', 'testkit', 'http'] as const

const files = [
  'LICENSE',
  'package.json',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'tsconfig.base.json',
  'tsconfig.lib.json',
  'docs/guides',
  'publish',
  'packages',
]

/** Copies the sources of the workspace to a path, so that a build there does not disturb this one. */
export function copyWorkspace(copy: string): void {
  const built = /\/(node_modules|dist|lib|.*\.tsbuildinfo)$/
  for (const path of files) {
    const filter = (from: string) => !built.test(from)
    cpSync(join(root, path), join(copy, path), { recursive: true, filter })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const name of packages) linkModules(name, join(copy, 'packages'))
}

/** Links the dependencies of a copied package, and the copies of the other packages. */
function linkModules(name: string, copies: string): void {
  const modules = join(root, 'packages', name, 'node_modules')
  const own = join(copies, name, 'node_modules')
  mkdirSync(join(own, '@heirloom'), { recursive: true })
  for (const entry of existsSync(modules) ? readdirSync(modules) : []) {
    if (entry !== '@heirloom') symlinkSync(join(modules, entry), join(own, entry))
  }
  for (const other of packages) symlinkSync(join(copies, other), join(own, '@heirloom', other))
}

/** Runs a program of `publish` in a copy of the workspace. */
export function runPublishProgram(
  copy: string,
  program: string,
  ...words: readonly string[]
): void {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(copy, 'publish', program), ...words],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
}
