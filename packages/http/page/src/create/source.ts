import type { Omission, SecretFinding } from '@heirloom/adapters/formats'
import type { ListedValue } from '../formats/list-values.ts'
import type { Suggestion } from '../formats/suggest-card.ts'

/** Files as they will be sealed. The data stays outside the page, however large it is. */
export type Source = {
  readonly name: string
  /** The bytes of the files that are sealed. */
  readonly size: number
  /** The exact JSON text of the data. */
  readonly data: Blob
  /** The beginning of the data. */
  readonly beginning: string
  /** The metadata of the file, as JSON; absent unless the file is a whole bundle. */
  readonly metadata?: string
  /** The JSON text of `importedFrom`, with which the files can be restored. */
  readonly origin?: string
  /** An explanation of how the files become a memory. */
  readonly explanation: string
  /** Describes what is left out of the files. */
  readonly left: readonly Omission[]
  /** Possible secrets in the memory. */
  readonly secrets: readonly SecretFinding[]
  /** The first values of the data, which can be shown with a proof. */
  readonly values: readonly ListedValue[]
  readonly suggested: Suggestion
}

/** A file that was chosen, with its path in the folder it was chosen with. */
export type ChosenFile = { readonly path: string; readonly file: Blob }

/** Files that were chosen together, or a text that was typed. */
export type Choice = {
  readonly kind: 'file' | 'files' | 'folder' | 'text'
  /** The name of the file or the folder, or the number of the files. */
  readonly name: string
  readonly files: readonly ChosenFile[]
}

/** The files as they will be sealed, or why they cannot be. */
export type Imported =
  | { readonly source: Source }
  | {
      readonly broken: string
      /** Whether they can be sealed as texts all the same. */
      readonly canBeText: boolean
    }
