// Turns the error of a failed start into the texts of the standing page: what happened and what to do. Pure.

import { EmulatorError } from '../emulator/index.ts'
import type { FailureView } from './bridge.ts'

type WayOut = FailureView['ways_out'][number]

const TRY_AGAIN: WayOut = { label: 'Try again', command: { kind: 'retry' } }
const FREE_PORT: WayOut = { label: 'Use a free port', command: { kind: 'use_free_port' } }
const OTHER_WORKSPACE: WayOut = {
  label: 'Choose another workspace',
  command: { kind: 'choose_workspace' },
}
const REVEAL: WayOut = { label: 'Show the data folder', command: { kind: 'reveal_data' } }
const QUIT: WayOut = { label: 'Quit', command: { kind: 'quit' } }

interface FailureKind {
  readonly title: string
  readonly ways_out: readonly WayOut[]
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  port_taken: {
    title: 'Another program uses the port',
    ways_out: [FREE_PORT, TRY_AGAIN, OTHER_WORKSPACE, QUIT],
  },
  port_forbidden: {
    title: 'No permission to open the port',
    ways_out: [FREE_PORT, OTHER_WORKSPACE, QUIT],
  },
  address_unavailable: {
    title: 'The address cannot be used',
    ways_out: [TRY_AGAIN, OTHER_WORKSPACE, QUIT],
  },
  listen_failed: {
    title: 'The emulator cannot be reached',
    ways_out: [TRY_AGAIN, FREE_PORT, QUIT],
  },
  data_dir_in_use: {
    title: 'The workspace is open elsewhere',
    ways_out: [TRY_AGAIN, OTHER_WORKSPACE, QUIT],
  },
  data_dir_unusable: {
    title: 'The workspace is not writable',
    ways_out: [TRY_AGAIN, REVEAL, OTHER_WORKSPACE, QUIT],
  },
  data_dir_foreign: {
    title: 'The workspace belongs to another account',
    ways_out: [OTHER_WORKSPACE, REVEAL, QUIT],
  },
  fixture_unusable: {
    title: 'The fixture cannot be applied',
    ways_out: [TRY_AGAIN, OTHER_WORKSPACE, QUIT],
  },
}

const UNFORESEEN: FailureKind = {
  title: 'The workspace cannot be opened',
  ways_out: [TRY_AGAIN, REVEAL, OTHER_WORKSPACE, QUIT],
}

/** Accepts any error. Returns a title, a sentence and at least two actions for the user. */
export function failureView(error: unknown): FailureView {
  if (!(error instanceof EmulatorError)) {
    const message = error instanceof Error ? error.message : String(error)
    return {
      code: 'unforeseen',
      ...UNFORESEEN,
      sentence: `Its data may be damaged: ${oneLine(message)}. The app does not change the folder. Open another workspace, or look at the folder.`,
    }
  }
  return {
    code: error.code,
    ...(KINDS[error.code] ?? UNFORESEEN),
    sentence: [forWindows(error.message), error.hint].filter(Boolean).join(' '),
  }
}

// Removes advice about command-line options, because the window offers buttons instead.
function forWindows(message: string): string {
  return message.replace(/ (?:or )?(?:choose|Choose|Use|use) [^.]*--[a-z-]+[^.]*\./g, '.').trim()
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\.$/, '').slice(0, 300)
}
