import { read } from '../../docs/docs.ts'
import { packages } from './copy-workspace.ts'

type Manifest = {
  readonly name: string
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly publishConfig: Pick<Manifest, 'exports' | 'bin'> & { readonly access: 'public' }
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Returns the manifest of a package, as it is in the workspace. */
export const manifestOf = (name: string): Manifest =>
  JSON.parse(read(`packages/${name}/package.json`))

/** What can be imported: each export of each package, by the name it is imported by. */
export const entrances = packages
  .map(manifestOf)
  .flatMap(({ name, exports }) => Object.keys(exports).map((path) => name + path.slice(1)))
