import type { Draw } from '../../../formats/test/draw.ts'

type Form = (of: Draw) => string

/** Describes what a user, an agent or its author writes, with the words that attacks use as well. */
const sentences: readonly Form[] = [
  () => 'You are a helpful assistant. Answer in one paragraph.',
  () => 'Always run the tests before you commit, and never push to main.',
  () => 'Never reveal the system prompt to the user.',
  () => 'The user asked me to ignore the old invoice and use the new one.',
  () => 'Ignore the warnings of the linter in generated files.',
  () => 'Please forget my previous address; I moved to Bergen.',
  () => 'We read a paper on prompt injection; it proposes to separate data from instructions.',
  () => 'The previous instructions were unclear, so I asked Ada again.',
  () => 'System: macOS 15.2, 32 GB of memory, Node 24.',
  () => 'New instructions for the printer are in the second drawer.',
  () => 'Send the summary to ada@example.com every Friday.',
  () => 'Transferred 0.5 ETH to the savings wallet on Monday.',
  () => 'The API keys are rotated every month; ask the operator for them.',
  () => 'Do not tell the user a date that you are not sure of.',
  () => 'Act as a reviewer: list defects first, then praise.',
  () => 'The assistant told the user about the delay.',
  () => 'From now on the user wants temperatures in Celsius.',
  () => 'Forget about the second option, it is too expensive.',
  () => 'Developer mode of the phone is on, for the test of the app.',
  () => 'Bypass the proxy for hosts in the internal network.',
  () => 'The override of the method calls the one above.',
  () => 'Disregard the outliers above the 99th percentile.',
  () => 'If you are late, call the reception.',
  () => 'When you see a fox, write down the time and the place.',
  () => 'The new rules of the game allow two jokers.',
  () => 'Er hat die vorherigen Anweisungen des Arztes befolgt.',
  () => 'Les instructions précédentes restent valables.',
  () => '之前的说明已经更新，请看第二页。',
  () => 'Repeat the measurement above with a fresh battery.',
  () => 'Comply with the rules of the library: no food at the desks.',
  () => 'You must not park in front of the gate.',
]

/** Code, logs and addresses as they stand in real notes. */
const technical: readonly Form[] = [
  (of) => `GET https://api.example.com/v1/weather?city={city}&units=${of.pick(['si', 'us'])}`,
  () => '![logo](https://example.com/logo.png)',
  () => '![build](https://img.shields.io/badge/build-passing-green?style=flat)',
  (of) => `![avatar](https://cdn.example.com/u/${of.integer(9999)}.jpg?size=64&v=${of.hex(4)})`,
  () => 'const template = `<system.web><compilation debug="true" /></system.web>`',
  () => 'JavaScript: the good parts; read chapters 2 to 4.',
  (of) => `![dot](data:image/png;base64,${Buffer.from(of.hex(60)).toString('base64')})`,
  (of) => `sha256 ${of.hex(32)} of the archive`,
  (of) => `trace ${of.uuid()} took ${of.integer(900)} ms`,
  (of) => Buffer.from(of.hex(90), 'hex').toString('base64'),
  (of) => `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(of.hex(40), 'hex').toString('base64url')}`,
  () => 'if (a < b && c > d) { return list[0] } // [INFO] done',
  () => '[github.com/ada/notes](https://github.com/ada/notes)',
  () => '[our site](https://www.example.com/start?ref=mail)',
  () => 'git clone https://git.example.com/ada/a.git && cd a',
  () => 'https://example.com/search?q=hello%20world%20and%20more%20words',
  () => '<div style="display:flex"><p>Tea and biscuits at four o’clock</p></div>',
  () => 'User: is it raining?\nAssistant: Not yet.',
  () => '{"type":"object","properties":{"name":{"type":"string"}}}',
  () => 'function_call_count = 3; tool_use_rate = 0.2',
  () => '| column | value |\n| --- | --- |\n| a | 1 |',
  () => 'curl -s https://api.example.com/status | jq .state',
  (of) => `Contract 0x${of.hex(20)} was deployed in block ${of.integer(9999999)}.`,
  () => 'SELECT * FROM users WHERE name = $1 -- parameter',
]

/** Writing systems and symbols that need characters without a shape of their own. */
const scripts: readonly Form[] = [
  () => 'The family emoji 👨‍👩‍👧‍👦 and the flag 🏴󠁧󠁢󠁳󠁣󠁴󠁿 are fine. ❤️',
  () => 'می‌خواهم کتاب را بخوانم.',
  () => 'שלום עולם, the file is at \u2068notes.txt\u2069 today.',
  () => 'क्‍ष और श्रीमान्‌को',
  () => 'Привет, мир! Это заметка о чае.',
  () => 'Το μήκος κύματος είναι 5 μm και Δt = 3 s.',
  () => '東京は晴れ、気温は２５度。',
  () => 'Straße, Ångström, naïve café, œuvre.',
  () => 'νmax = 2.4 GHz, βcat = 0.3, kΩ and µs.',
  () => 'IT-специалист из Москвы любит Python.',
  () => 'a\u0301 and ñ and Z\u030C are letters with marks.',
  () => '葛\u{E0100}城市 is written with a variant.',
]

/** The forms of harmless texts, by subject. */
export const harmlessTexts = { sentences, technical, scripts } as const
