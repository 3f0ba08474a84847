# The course, ready to read and run without a network:
#     docker build -t measure-first .
#     docker run --rm -p 8888:8888 measure-first
# Then open the address that it prints. What you write goes with the container; to keep it, give it a folder:
#     docker run --rm -p 8888:8888 -v measure-first:/home/reader/my-course measure-first

FROM python:3.12-slim AS base
RUN useradd --create-home reader

# For the devcontainer, which brings the repository itself.
FROM base AS tools
RUN apt-get update && apt-get install --yes --no-install-recommends git && rm -rf /var/lib/apt/lists/*
USER reader

FROM base AS wheel
COPY . /source
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheel /source

FROM base
# Only the wheel is taken over, so the image carries no second copy of the repository.
COPY constraints.txt /tmp/constraints.txt
RUN --mount=type=bind,from=wheel,source=/wheel,target=/wheel \
    pip install --no-cache-dir --constraint /tmp/constraints.txt "$(echo /wheel/*.whl)[course]"
USER reader
WORKDIR /home/reader
RUN measure-first start my-course
WORKDIR /home/reader/my-course
# SciFact and the token encoding cl100k_base are not in here: bundled ones stand in and say so.
ENV MEASURE_FIRST_OFFLINE=1
EXPOSE 8888
CMD ["jupyter", "lab", "--ip=0.0.0.0", "--no-browser", "notebooks/start.ipynb"]
