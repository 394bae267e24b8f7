// Shapes of the emulator's own API that wire tests speak of.
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
