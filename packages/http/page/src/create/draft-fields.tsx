import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { type Draft, limits } from './draft.ts'
import type { Source } from './source.ts'

type Props = {
  readonly source: Source
  readonly draft: Draft
  readonly setDraft: (draft: Draft) => void
}

type Set = { readonly draft: Draft; readonly set: (changed: Partial<Draft>) => void }

const categories = ['research', 'support', 'trading', 'coding', 'conversation', 'planning']

/** Takes how a memory is labelled, and what is shown of it. */
export function DraftFields({ source, draft, setDraft }: Props): JSX.Element {
  const set = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed })
  return (
    <>
      <section class="panel" aria-labelledby="labels">
        <h2 id="labels">2. How it is labelled</h2>
        {source.metadata === undefined ? (
          <Labels draft={draft} set={set} />
        ) : (
          <p>The file brings its own metadata, which is sealed as it stands.</p>
        )}
        <Text name="parent" label="Grew from token No." draft={draft} set={set}>
          Public. Leave empty for a memory of its own.
        </Text>
      </section>
      <section class="panel" aria-labelledby="card">
        <h2 id="card">3. What anybody may see of it</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={draft.isShown}
            onChange={({ currentTarget }) => set({ isShown: currentTarget.checked })}
          />
          <span>Show a card of it, so that people can find it</span>
        </label>
        {draft.isShown && <CardFields draft={draft} set={set} />}
      </section>
    </>
  )
}

function Labels({ draft, set }: Set): JSX.Element {
  return (
    <>
      <datalist id="categories">
        {categories.map((it) => (
          <option key={it} value={it} />
        ))}
      </datalist>
      <Text name="category" label="Category" list="categories" draft={draft} set={set}>
        Such as research or support. Sealed with the memory; on the card, too, if it has one.
      </Text>
      <div class="pair">
        <Text name="agentId" label="Agent" draft={draft} set={set}>
          Optional, sealed.
        </Text>
        <Text name="version" label="Version" draft={draft} set={set}>
          Optional, sealed.
        </Text>
      </div>
    </>
  )
}

function CardFields({ draft, set }: Set): JSX.Element {
  return (
    <>
      <p class="warning-line">All of the card is public, and stays so for ever.</p>
      <Text name="title" label="Title" most={limits.title} draft={draft} set={set} />
      <Long
        name="description"
        label="Description"
        most={limits.description}
        draft={draft}
        set={set}
      />
      <Text name="tags" label="Tags" draft={draft} set={set}>
        Up to 12, separated by commas.
      </Text>
      <Long
        name="preview"
        label="A sample of the memory"
        most={limits.preview}
        draft={draft}
        set={set}
      />
    </>
  )
}

type FieldProps = Set & {
  readonly name: Exclude<keyof Draft, 'isShown'>
  readonly label: string
  readonly most?: number
  readonly list?: string
  readonly children?: string
}

function Text({ name, label, most, list, children, draft, set }: FieldProps): JSX.Element {
  const hint = useId()
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="text"
        dir="auto"
        value={draft[name]}
        {...(most !== undefined && { maxLength: most })}
        {...(list !== undefined && { list })}
        {...(children !== undefined && { 'aria-describedby': hint })}
        onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
      />
      {children !== undefined && <small id={hint}>{children}</small>}
    </label>
  )
}

function Long({ name, label, most, draft, set }: FieldProps): JSX.Element {
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        rows={4}
        dir="auto"
        maxLength={most ?? 0}
        value={draft[name]}
        onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
      />
    </label>
  )
}
