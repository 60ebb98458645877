/** A masked account number (`xxxx4060` in v2) as pages write it everywhere: `•••• 4060`. */
export function accountNumberText(number: string): string {
  return number.replace('xxxx', '•••• ');
}
