// Types of the emulator's own API that wire tests use.
export type {
  SuggestedFix,
  SuggestedFixes,
  SuggestedFixesRequest,
} from '../../emulator/contract/suggested-fixes.ts'
export type {
  MintedToken,
  MintTokenRequest,
  TokenExplanation,
} from '../../emulator/contract/tokens.ts'
