import { read } from '../../docs/docs.ts'
import { packages } from './copy-workspace.ts'

type Manifest = {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly publishConfig: Pick<Manifest, 'exports' | 'bin'> & { readonly access: 'public' }
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Returns the package.json of a package in the workspace. */
export const manifestOf = (name: string): Manifest =>
  JSON.parse(read(`packages/${name}/package.json`))

/** The import specifiers of all exports of all packages. */
export const entrances = packages
  .map(manifestOf)
  .flatMap(({ name, exports }) => Object.keys(exports).map((path) => name + path.slice(1)))
