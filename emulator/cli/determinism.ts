// `--deterministic`, `--seed` and `--freeze`: what makes two runs alike.
import type { Command } from 'commander'
import type { EmulatorConfig } from '../config.ts'

export interface DeterminismOptions {
  readonly deterministic: boolean
  readonly seed: string | undefined
  /** ISO 8601. */
  readonly freeze: string | undefined
}

const SEED = 'tenantry'

/** `--deterministic` is `--seed` with a seed of its own. */
export function determinism({
  deterministic,
  seed = deterministic ? SEED : undefined,
  freeze,
}: DeterminismOptions): Pick<EmulatorConfig, 'deterministicSeed' | 'frozenAt'> {
  return {
    ...(seed === undefined ? {} : { deterministicSeed: seed }),
    ...(freeze === undefined ? {} : { frozenAt: freeze }),
  }
}

/** The options as each command that starts an emulator has them. */
export function withDeterminism(command: Command): Command {
  return command
    .option('--deterministic', 'the same identifiers and keys at every start, for tests', false)
    .option('--seed <text>', 'the same as --deterministic, with other identifiers and keys')
    .option(
      '--freeze <instant>',
      'platform time stands still from the start at this instant, such as 2030-01-01T09:00:00Z',
    )
}
