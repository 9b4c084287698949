import { Check, TextField } from '../parts/form-fields.tsx'
import { Button, Section } from '../parts/section.tsx'
import { type Draft, limits, type Source } from './draft.ts'
import { ExcerptChoice } from './excerpt-choice.tsx'

type Props = {
  readonly source: Source
  /** The problem of the parent; empty or absent when none is known. */
  readonly parentProblem: string | undefined
  readonly draft: Draft
  readonly setDraft: (draft: Draft) => void
}

type Set = { readonly draft: Draft; readonly set: (changed: Partial<Draft>) => void }

const categories = [
  ...['research', 'support', 'trading', 'coding', 'conversation', 'planning', 'gaming', 'social'],
]

/** Edits the labels and the public description of a memory. */
export function DraftFields({ source, draft, setDraft, parentProblem = '' }: Props): JSX.Element {
  const set = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed })
  const form = { draft, set }
  return (
    <>
      <Section id="labels" title="2. Labels" class="panel">
        {source.metadata === undefined ? (
          <Labels {...form} />
        ) : (
          <p>The file has its own metadata, which is sealed unchanged.</p>
        )}
        <Text name="parent" label="Derived from (token number)" problem={parentProblem} {...form}>
          Public. Leave empty for an original memory.
        </Text>
      </Section>
      <Section id="card" title="3. Public description" class="panel">
        <Check isChecked={draft.isPublic} setChecked={(isPublic) => set({ isPublic })}>
          Add a public description so people can find it
        </Check>
        {!draft.isPublic && (
          <p class="hint">
            Without one, people see only “Untitled memory”. It can never be taken back.
          </p>
        )}
        {draft.isPublic && <CardFields source={source} {...form} />}
      </Section>
    </>
  )
}

function Labels(form: Set): JSX.Element {
  return (
    <>
      <datalist id="categories">
        {categories.map((it) => (
          <option key={it} value={it} />
        ))}
      </datalist>
      <Text name="category" label="Category" list="categories" {...form}>
        For example research or support. Sealed with the memory, and part of the public description.
      </Text>
      <div class="pair">
        <Text name="agentId" label="Agent" {...form}>
          Optional. Sealed, and shown with a proof if you choose so below.
        </Text>
        <Text name="version" label="Version" {...form}>
          Optional. Sealed, and shown with a proof if you choose so below.
        </Text>
      </div>
    </>
  )
}

function CardFields({ source, ...form }: Set & { readonly source: Source }): JSX.Element {
  const { draft, set } = form
  return (
    <>
      <Suggest source={source} {...form} />
      <p class="warning-line">The description is public and permanent.</p>
      <Text name="title" label="Title" {...form} />
      <Text rows={4} name="description" label="Description" {...form} />
      <Text name="tags" label="Tags" {...form}>
        Up to 12, separated by commas.
      </Text>
      <Text rows={4} name="preview" label="A sample of the memory" {...form} />
      <Text rows={4} name="excerpts" label="Values to show with a proof" {...form}>
        One JSON pointer in each line, such as /data/notes/0. The values are public, and everybody
        can check that they are in the memory.
      </Text>
      <ExcerptChoice values={source.values} {...form} />
      <Check isChecked={draft.showsFacts} setChecked={(showsFacts) => set({ showsFacts })}>
        Show the format, the counts, the agent and the version with a proof, as far as they are
        known
      </Check>
    </>
  )
}

/** Fills what is still empty of the description from the files. */
function Suggest({ source: { suggested }, draft, set }: Set & { readonly source: Source }) {
  const names = ['title', 'description', 'tags'] as const
  const empty = names.filter((name) => draft[name].trim() === '' && suggested[name] !== '')
  if (empty.length === 0) return undefined
  const fill = () => set(Object.fromEntries(empty.map((name) => [name, suggested[name]])))
  return (
    <p class="buttons">
      <Button name="Suggest from the file" onClick={fill} />
      <small class="hint">From its names and counts. Check it before you publish it.</small>
    </p>
  )
}

type FieldProps = Set & {
  readonly name: Exclude<keyof Draft, 'isPublic' | 'showsFacts'>
  readonly label: string
  readonly list?: string
  /** The lines of a field for several. */
  readonly rows?: number
  /** The problem of what was typed, which stands in the place of the hint; empty when there is none. */
  readonly problem?: string
  readonly children?: string
}

function Text(props: FieldProps): JSX.Element {
  const { name, label, problem, children, draft, set, ...field } = props
  const isWrong = problem === undefined ? undefined : problem !== ''
  return (
    <TextField
      name={label}
      dir="auto"
      maxLength={limits[name]}
      {...field}
      text={draft[name]}
      setText={(text) => set({ [name]: text })}
      hint={isWrong === true ? problem : children}
      isWrong={isWrong}
    />
  )
}
