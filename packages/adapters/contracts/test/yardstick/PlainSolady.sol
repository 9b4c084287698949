// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "solady/src/tokens/ERC721.sol";

/// @notice The least that Solady mints: an owner and a balance, and a counter for the id. Only gas is read off it.
contract PlainSolady is ERC721 {
    uint256 public totalSupply;

    function mint(address to) external {
        _mint(to, ++totalSupply);
    }

    function name() public pure override returns (string memory) {
        return "Plain";
    }

    function symbol() public pure override returns (string memory) {
        return "PLAIN";
    }

    function tokenURI(uint256) public pure override returns (string memory) {
        return "";
    }
}
