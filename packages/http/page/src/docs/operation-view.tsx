import { FactRow, Fold } from '../parts/section.tsx'
import { Sample } from '../parts/table.tsx'
import { describeSchema, type Operation, type Parameter, type Schema } from './operation.ts'
import { TryOperation } from './try-operation.tsx'

/** Shows a route; its details are built when it is opened. */
export function OperationView({ operation }: { readonly operation: Operation }): JSX.Element {
  const { id, method, path, summary } = operation
  const head = (
    <>
      <code>
        <strong>{method}</strong> <span class="wrap">{path}</span>
      </code>{' '}
      <span class="hint">
        <Prose of={summary} />
      </span>
    </>
  )
  return (
    <Fold id={id} class="operation" summary={head}>
      <Details operation={operation} />
    </Fold>
  )
}

function Details({ operation }: { readonly operation: Operation }): JSX.Element {
  const { description, parameters, body, responses } = operation
  const [first] = responses.filter(({ example }) => example !== undefined)
  return (
    <div class="details">
      {description !== '' && (
        <p class="lines">
          <Prose of={description} />
        </p>
      )}
      <Members title="Parameters" of={parameters} />
      <Members title="Body" of={membersOf(body?.schema ?? {})} />
      <h3>Responses</h3>
      <dl class="facts">
        {responses.map(({ status, description: text }) => (
          <FactRow key={status} name={status}>
            <Prose of={text} />
          </FactRow>
        ))}
      </dl>
      {first !== undefined && (
        <Sample
          text={JSON.stringify(first.example, undefined, 2)}
          name={`Example of a response with status ${first.status}`}
        />
      )}
      <TryOperation operation={operation} />
    </div>
  )
}

type Member = Pick<Parameter, 'name' | 'schema'> & {
  readonly in?: Parameter['in']
  readonly required?: boolean | undefined
  readonly description?: string | undefined
}

type MembersProps = { readonly title: string; readonly of: readonly Member[] }

function Members({ title, of }: MembersProps): JSX.Element | undefined {
  if (of.length === 0) return undefined
  return (
    <>
      <h3>{title}</h3>
      <dl class="facts">
        {of.map(({ name, in: place, required, schema, description = '' }) => (
          <FactRow
            key={`${place} ${name}`}
            name={[<code key="name">{name}</code>, ' ', <small key="in">{place}</small>]}
          >
            {describeSchema(schema)}
            {required === true && ', required'}
            {description !== '' && <Prose of={`. ${description}`} />}
          </FactRow>
        ))}
      </dl>
    </>
  )
}

const membersOf = ({ properties = {}, required }: Schema): readonly Member[] =>
  Object.entries(properties).map(([name, schema]) => {
    const { description } = schema
    return { name, schema, required: required?.includes(name), description }
  })

/** Shows a text, with what is in backticks as code. */
export function Prose({ of }: { readonly of: string }): JSX.Element {
  return (
    <>
      {splitCode(of).map(({ text, isCode }, at) =>
        isCode ? <code key={at}>{text}</code> : <span key={at}>{text}</span>,
      )}
    </>
  )
}

/** A part of a text, and whether it is code. */
type TextPart = { readonly text: string; readonly isCode: boolean }

/** Splits a text at its backticks; a backtick without another one stays in the text. */
export const splitCode = (text: string): readonly TextPart[] =>
  text
    .split(/`([^`]+)`/)
    .map((part, at) => ({ text: part, isCode: at % 2 === 1 }))
    .filter((part) => part.text !== '')
