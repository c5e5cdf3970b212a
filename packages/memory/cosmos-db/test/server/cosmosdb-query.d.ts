declare module '@zeit/cosmosdb-query' {
  /** A query, parsed; throws for what is none. The types of the package are not where its manifest says. */
  const query: (text: string) => {
    exec(
      items: readonly object[],
      options: { readonly parameters: readonly { readonly name: string; readonly value: unknown }[] },
    ): { readonly result: readonly unknown[] };
  };

  export { query as default };
}
