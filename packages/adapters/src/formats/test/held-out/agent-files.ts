import { alphabets, type Draw } from '../draw.ts'

/** Returns a file of an agent that holds a text, as the program of that agent writes it. */
export type AgentFile = (text: string, draw: Draw) => string

const json = (value: unknown, spaces = 2) => JSON.stringify(value, undefined, spaces)
const at = '2026-03-11T09:14:02.118Z'
const id = (draw: Draw, prefix: string) => `${prefix}${draw.text(alphabets.word, 24)}`

const letta: AgentFile = (text, draw) =>
  json({
    agents: [
      {
        id: 'agent-0',
        name: 'assistant',
        agent_type: 'memgpt_v2_agent',
        block_ids: ['block-0'],
        llm_config: { model: 'gpt-4.1', context_window: 32000, max_tokens: 4096 },
        messages: [
          { id: 'message-0', role: 'user', content: [{ type: 'text', text }], created_at: at },
          {
            id: 'message-1',
            role: 'assistant',
            tool_calls: [
              {
                id: id(draw, 'call_'),
                type: 'function',
                function: { name: 'core_memory_append', arguments: '{"label":"human"}' },
              },
            ],
          },
          {
            id: 'message-2',
            role: 'tool',
            tool_call_id: id(draw, 'call_'),
            content: [{ type: 'text', text: 'None' }],
          },
        ],
      },
    ],
    blocks: [{ id: 'block-0', label: 'human', value: 'Likes tea.', limit: 5000 }],
    tools: [],
    created_at: at,
    revision_id: draw.hex(6),
  })

const mem0: AgentFile = (text, draw) =>
  json({
    results: [
      {
        id: draw.uuid(),
        memory: 'Vegetarian since 2019',
        hash: draw.hex(16),
        user_id: 'ana',
        created_at: at,
      },
      {
        id: draw.uuid(),
        memory: text,
        hash: draw.hex(16),
        metadata: { run_id: draw.uuid() },
        score: 0.83,
      },
    ],
  })

const langGraph: AgentFile = (text, draw) =>
  json(
    {
      v: 4,
      ts: at,
      id: draw.uuid(),
      channel_values: {
        messages: [
          {
            lc: 1,
            type: 'constructor',
            id: ['langchain', 'schema', 'messages', 'HumanMessage'],
            kwargs: { content: text, id: draw.uuid() },
          },
          {
            lc: 1,
            type: 'constructor',
            id: ['langchain', 'schema', 'messages', 'ToolMessage'],
            kwargs: { content: 'ok', tool_call_id: id(draw, 'call_') },
          },
        ],
      },
      channel_versions: {
        messages: `00000000000000000000000000000004.0.${draw.text('0123456789', 16)}`,
      },
    },
    0,
  )

const chatGpt: AgentFile = (text, draw) => {
  const node = draw.uuid()
  return json([
    {
      title: 'Setup',
      create_time: 1773220442.118,
      conversation_id: draw.uuid(),
      current_node: node,
      mapping: {
        [node]: {
          id: node,
          parent: draw.uuid(),
          children: [],
          message: {
            id: node,
            author: { role: 'user' },
            content: { content_type: 'text', parts: [text] },
            metadata: { request_id: draw.uuid(), model_slug: 'gpt-5' },
          },
        },
      },
    },
  ])
}

const claude: AgentFile = (text, draw) =>
  json([
    {
      uuid: draw.uuid(),
      name: 'Deployment',
      created_at: at,
      account: { uuid: draw.uuid() },
      chat_messages: [
        {
          uuid: draw.uuid(),
          text,
          sender: 'human',
          content: [{ type: 'text', text, citations: [] }],
          attachments: [],
        },
      ],
    },
  ])

const sessionLines: AgentFile = (text, draw) =>
  [
    {
      type: 'user',
      uuid: draw.uuid(),
      sessionId: draw.uuid(),
      cwd: '/home/ana/app',
      message: { role: 'user', content: 'Run it.' },
    },
    {
      type: 'assistant',
      uuid: draw.uuid(),
      requestId: `req_01${draw.text(alphabets.word, 22)}`,
      message: {
        id: `msg_01${draw.text(alphabets.word, 22)}`,
        content: [
          {
            type: 'tool_use',
            id: `toolu_01${draw.text(alphabets.word, 22)}`,
            name: 'Bash',
            input: { command: 'cat notes' },
          },
        ],
      },
    },
    {
      type: 'user',
      uuid: draw.uuid(),
      message: {
        content: [
          {
            type: 'tool_result',
            tool_use_id: `toolu_01${draw.text(alphabets.word, 22)}`,
            content: text,
          },
        ],
      },
    },
  ]
    .map((line) => json(line, 0))
    .join('\n')

const responses: AgentFile = (text, draw) =>
  json({
    id: `resp_${draw.hex(25)}`,
    object: 'response',
    model: 'gpt-5',
    usage: { total_tokens: 1843 },
    output: [
      { id: `rs_${draw.hex(25)}`, type: 'reasoning', summary: [] },
      {
        id: `fc_${draw.hex(25)}`,
        type: 'function_call',
        call_id: id(draw, 'call_'),
        name: 'write_file',
        arguments: json({ path: 'notes.md', content: text }, 0),
      },
    ],
  })

const notes: AgentFile = (text, draw) =>
  `---\nname: assistant\nupdated: ${at}\nrevision: ${draw.hex(20)}\n---\n\n# Memory\n\n- Ana prefers short answers.\n- Timezone: Europe/Berlin\n\n## Setup\n\n${text}\n\n## Next\n\n- Call the bank on Monday.\n`

const log: AgentFile = (text, draw) =>
  `[09:14:01] agent ${draw.uuid()} started\n[09:14:02] tool shell (${id(draw, 'call_')})\n${text}\n[09:14:03] exit 0 in 41 ms\n`

const notebook: AgentFile = (text, draw) =>
  json(
    {
      cells: [
        { cell_type: 'markdown', id: draw.hex(4), metadata: {}, source: '# Setup' },
        {
          cell_type: 'code',
          id: draw.hex(4),
          execution_count: 3,
          metadata: {},
          outputs: [],
          source: text,
        },
      ],
      nbformat: 4,
      nbformat_minor: 5,
    },
    1,
  )

const yaml: AgentFile = (text, draw) =>
  `id: ${draw.uuid()}\nmodel: claude-sonnet\nmemories:\n  - text: |\n${text.replaceAll(/^|\n/g, '$&      ')}\n    score: 0.71\n  - text: Likes tea.\n`

const transcript: AgentFile = (text) =>
  `User: can you set this up?\nAssistant: Sure, what do you have?\nUser: ${text}\nAssistant: Thanks, done.\n`

/** Files of agents, in turn JSON, lines of JSON and plain text. */
export const agentFiles: readonly AgentFile[] = [
  letta,
  mem0,
  responses,
  notes,
  langGraph,
  claude,
  sessionLines,
  chatGpt,
  yaml,
  log,
  transcript,
  notebook,
]
