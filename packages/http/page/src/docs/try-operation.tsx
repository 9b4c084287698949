import { useState } from 'preact/hooks'
import { Form, Submit, TextField, useText } from '../parts/form-fields.tsx'
import { Sample } from '../parts/table.tsx'
import {
  type ApiRequest,
  buildRequest,
  describeSchema,
  type Operation,
  type Parameter,
  type Typed,
  toCommand,
} from './operation.ts'

/** The most characters of a response that are shown. */
const mostShown = 20_000

type Outcome = { readonly status: string; readonly text: string }

/** Sends a request to this server, and shows the same request as a command. */
export function TryOperation({ operation }: { readonly operation: Operation }): JSX.Element {
  const { body, parameters, takesKey } = operation
  const [typed, setTyped] = useState<Typed>(() => ({
    parameters: {},
    body: body?.example === undefined ? '' : JSON.stringify(body.example, undefined, 2),
  }))
  // The key is in this form only: it is neither stored nor part of an address or a command.
  const key = useText()
  const [outcome, setOutcome] = useState<Outcome>()
  const request = buildRequest(operation, typed)
  if (operation.needsProof) return <NeedsProof />
  const submit = async () => setOutcome(await send(request, key.text))
  return (
    <Form class="try" submit={submit}>
      <h3>Try it</h3>
      {parameters.map((it) => (
        <ParameterField key={it.name} of={it} typed={typed} setTyped={setTyped} />
      ))}
      {body !== undefined && (
        <TextField
          name="Body (JSON)"
          rows={8}
          spellcheck={false}
          text={typed.body}
          setText={(text) => setTyped({ ...typed, body: text })}
        />
      )}
      {takesKey && (
        <TextField name="Access key" type="password" autocomplete="off" {...key}>
          <small>Only where the server needs one. It is not stored.</small>
        </TextField>
      )}
      <Sample
        text={toCommand(request, { origin: location.origin, takesKey })}
        name="As a command"
      />
      <p class="buttons">
        <Submit name="Send" class="main" />
        {operation.method !== 'GET' && (
          <small class="hint">This changes something on the server.</small>
        )}
      </p>
      {outcome !== undefined && (
        <div role="status">
          <p>
            <strong>{outcome.status}</strong>
          </p>
          <Sample text={outcome.text} name="The response" />
        </div>
      )}
    </Form>
  )
}

/** Says how to run a route whose proof this form cannot sign. */
function NeedsProof(): JSX.Element {
  return (
    <section class="try" aria-labelledby="try">
      <h3 id="try">Try it</h3>
      <p>
        This route needs a proof that a wallet signs, which this form does not send. Open the memory
        on its page, or use <code>heirloom download</code> or the client: each signs the proof.
      </p>
    </section>
  )
}

type FieldProps = {
  readonly of: Parameter
  readonly typed: Typed
  readonly setTyped: (typed: Typed) => void
}

function ParameterField({ of: { name, required, schema }, typed, setTyped }: FieldProps) {
  return (
    <TextField
      name={required === true ? `${name} (required)` : name}
      spellcheck={false}
      required={required === true}
      placeholder={describeSchema(schema)}
      text={typed.parameters[name] ?? ''}
      setText={(text) => setTyped({ ...typed, parameters: { ...typed.parameters, [name]: text } })}
    />
  )
}

async function send({ url, body, ...request }: ApiRequest, key: string): Promise<Outcome> {
  const headers = { ...request.headers, ...(key !== '' && { authorization: `Bearer ${key}` }) }
  const options = { method: request.method, headers, ...(body !== undefined && { body }) }
  try {
    const response = await fetch(url, {
      ...options,
      cache: 'no-store',
      signal: AbortSignal.timeout(30_000),
    })
    const text = await readStart(response)
    return { status: `${response.status} ${response.statusText}`.trim(), text: format(text) }
  } catch (error) {
    return { status: 'No answer', text: error instanceof Error ? error.message : String(error) }
  }
}

/** Reads the beginning of a response: some are long, and a stream of events has no end. */
async function readStart({ body }: Response): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    text += part.value
    if (text.length > mostShown || text.startsWith(':') || text.startsWith('id:')) break
  }
  await reader?.cancel()
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

function format(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
