import { operations, type OperationName } from '../operations.ts';

export const operationNames = Object.keys(operations) as readonly OperationName[];

/** What is signed unless a profile says otherwise: what the interface protects or leaves open (section 5). */
export const defaultSignedOperations: readonly OperationName[] = operationNames.filter(
  (name) => operations[name].signed,
);
