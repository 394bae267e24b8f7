// Validates what pages send over the bridge. The app does not trust even its own pages.
import { z } from 'zod'
import type { DesktopCommand, ThemeChoice } from './bridge.ts'

const folder = z.string().min(1).max(4_096)
const name = z.string().max(200)

/** Commands that pages may send. Menus, links and the tray send the other commands. */
const pageCommand = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('retry') }),
  z.strictObject({ kind: z.literal('use_free_port') }),
  z.strictObject({ kind: z.literal('choose_workspace') }),
  z.strictObject({ kind: z.literal('open_folder') }),
  z.strictObject({ kind: z.literal('open_workspace'), folder }),
  z.strictObject({ kind: z.literal('create_workspace'), name }),
  z.strictObject({ kind: z.literal('duplicate_workspace'), folder, name }),
  z.strictObject({ kind: z.literal('remove_workspace'), folder }),
  z.strictObject({ kind: z.literal('reveal_data') }),
  z.strictObject({ kind: z.literal('quit') }),
]) satisfies z.ZodType<DesktopCommand>

const themeChoice = z.enum(['system', 'light', 'dark'])

/** @throws {ZodError} for anything but a command that pages may send */
export function decodeCommand(payload: unknown): DesktopCommand {
  return pageCommand.parse(payload)
}

/** @throws {ZodError} */
export function decodeTheme(payload: unknown): ThemeChoice {
  return themeChoice.parse(payload)
}
