"""The machinery of sparse search: exact top k, its compiled loop, and what is kept on disk. Behind `sparse` and `retrieval`."""
