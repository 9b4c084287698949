import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Sample } from '../parts/table.tsx'
import { describeSchema, type Operation, type Parameter, type Schema } from './operation.ts'
import { TryOperation } from './try-operation.tsx'

/** Shows a route; its details are built when it is opened. */
export function OperationView({ operation }: { readonly operation: Operation }): JSX.Element {
  const [wasOpened, setOpened] = useState(false)
  const { id, method, path, summary } = operation
  return (
    <details
      id={id}
      class="operation"
      onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}
    >
      <summary>
        <code>
          <strong>{method}</strong> <span class="wrap">{path}</span>
        </code>{' '}
        <span class="hint">
          <Prose of={summary} />
        </span>
      </summary>
      {wasOpened && <Details operation={operation} />}
    </details>
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
      {parameters.length > 0 && <Parameters of={parameters} />}
      {body?.schema !== undefined && <Members of={body.schema} />}
      <h3>Responses</h3>
      <dl class="facts">
        {responses.map(({ status, description: text }) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>
              <Prose of={text} />
            </dd>
          </div>
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

function Parameters({ of }: { readonly of: readonly Parameter[] }): JSX.Element {
  return (
    <>
      <h3>Parameters</h3>
      <dl class="facts">
        {of.map(({ name, in: place, required, schema, description = '' }) => (
          <div key={`${place} ${name}`}>
            <dt>
              <code>{name}</code> <small>{place}</small>
            </dt>
            <dd>
              {describeSchema(schema)}
              {required === true && ', required'}
              {description !== '' && <Prose of={`. ${description}`} />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function Members({ of }: { readonly of: Schema }): JSX.Element | undefined {
  const members = Object.entries(of.properties ?? {})
  if (members.length === 0) return undefined
  return (
    <>
      <h3>Body</h3>
      <dl class="facts">
        {members.map(([name, schema]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              {describeSchema(schema)}
              {of.required?.includes(name) === true && ', required'}
              {schema.description !== undefined && <Prose of={`. ${schema.description}`} />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}

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
