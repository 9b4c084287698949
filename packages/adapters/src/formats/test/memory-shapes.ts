import type { Draw } from './draw.ts'

/** Writes a line into the text of a memory, among others. */
export type MemoryShape = (line: string, draw: Draw) => string

const chatter = [
  'The user lives in Bergen and likes short answers.',
  'Booked the flight for March; the window seat is on the left.',
  'Compared three vector stores and kept the smallest.',
  'Ada wants a table of the costs by month.',
  'The deployment went well, after the second attempt.',
  'Remember: tests first, then the change.',
] as const

const json = (value: unknown) => JSON.stringify(value, undefined, 2)

/** The shapes of memory files, by name. */
export const memoryShapes: Readonly<Record<string, MemoryShape>> = {
  'an agent file of Letta': (line, of) =>
    json({
      agents: [
        {
          name: 'Loop',
          system: 'You remember.',
          in_context_message_ids: Array.from({ length: 14 }, (_, at) => `message-${at}`),
          tool_ids: Array.from({ length: 16 }, (_, at) => `tool-${at}`),
          messages: [
            { id: 'message-0', role: 'user', content: [{ type: 'text', text: of.pick(chatter) }] },
            { id: 'message-1', role: 'user', content: [{ type: 'text', text: line }] },
          ],
          secrets: null,
        },
      ],
      tools: Array.from({ length: 16 }, (_, at) => ({ id: `tool-${at}`, name: 'send_message' })),
    }),
  'arguments of a tool call': (line, of) =>
    json({
      role: 'assistant',
      tool_calls: [
        {
          id: `call_${of.text('abcdefghijkmnpqrstuvwxyz', 24)}`,
          function: {
            name: 'write_file',
            arguments: JSON.stringify({ path: 'a.txt', text: line }),
          },
        },
      ],
    }),
  'the memory server of MCP': (line, of) =>
    [
      { type: 'entity', name: 'Ada', entityType: 'person', observations: [of.pick(chatter), line] },
      { type: 'relation', from: 'Ada', to: 'Bergen', relationType: 'lives in' },
    ]
      .map((it) => JSON.stringify(it))
      .join('\n'),
  'notes of Markdown': (line, of) =>
    `# Notes\n\n- ${of.pick(chatter)}\n- ${of.pick(chatter)}\n\n${line}\n\n## Later\n\n${of.pick(chatter)}\n`,
  'a block of code': (line, of) =>
    `---\nname: set-up\n---\n\n${of.pick(chatter)}\n\n\`\`\`\n${line}\n\`\`\`\n`,
  'a conversation of ChatGPT': (line, of) =>
    json([
      {
        title: 'Deployment',
        mapping: {
          [of.uuid()]: { message: { author: { role: 'user' }, content: { parts: [line] } } },
          [of.uuid()]: { message: { content: { parts: [of.pick(chatter)] } } },
        },
      },
    ]),
  'memories of mem0': (line, of) =>
    json({ results: [{ id: of.uuid(), memory: line, hash: of.hex(16), user_id: 'ada' }] }),
  'a bundle': (line, of) =>
    JSON.stringify({
      data: { notes: [of.pick(chatter), line, of.pick(chatter)] },
      metadata: { category: 'agent', agentId: `agent-${of.uuid()}` },
    }),
}
